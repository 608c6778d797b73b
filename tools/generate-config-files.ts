import { mkdirSync, writeFileSync } from 'node:fs';
import { droppedOptionsDocument } from '../src/config/dropped-options-document.ts';
import { exampleConfig } from '../src/config/example-config.ts';

/** Writes `config/`: what operators read of the settings, from the tables in `src/config/`. */
mkdirSync('config', { recursive: true });
writeFileSync('config/config.example.yaml', exampleConfig());
writeFileSync('config/dropped-options.md', droppedOptionsDocument());
