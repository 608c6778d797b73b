import { mkdirSync, writeFileSync } from 'node:fs';
import { exampleConfig } from '../src/config/example-config.ts';

/** Writes `config/`: what operators read of the settings, from the tables in `src/config/`. */
mkdirSync('config', { recursive: true });
writeFileSync('config/config.example.yaml', exampleConfig());
