import { mkdirSync, writeFileSync } from 'node:fs';
import { droppedOptionsDocument } from '../src/config/dropped-options-document.ts';
import { exampleConfig } from '../src/config/example-config.ts';
import { valuesSchema } from './chart/values-schema.ts';

/** Writes `config/`, what operators read of the settings, and what the chart takes of them, from the tables in `src/config/`. */
mkdirSync('config', { recursive: true });
writeFileSync('config/config.example.yaml', exampleConfig());
writeFileSync('config/dropped-options.md', droppedOptionsDocument());
writeFileSync('deploy/helm/zun/values.schema.json', valuesSchema());
