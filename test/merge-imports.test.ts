/** What a build makes of esbuild's import statements. */

import { expect, it } from 'vitest'
import { mergeImports } from '../scripts/merge-imports.mjs'

const BUNDLE = `import { hash as hash2, open } from "ours";
import * as z2 from "zod";

function first() {
  return { hash2: hash2(z2.string()), z2, name: "hash2", of: this.hash2 };
}

import standard, { hash } from "ours";
import * as z from "zod";
import "effects";
import "./chunk-AB12CD34.js";

var second = [hash, standard, z, open];
export {
  hash2 as hashed,
  second
};
`

it('has one import statement for each module, and one name for each export', () => {
  expect(mergeImports(BUNDLE, false)).toBe(`import standard, { hash, open } from "ours";
import * as z from "zod";
import "effects";

function first() {
  return { hash2: hash(z.string()), z2: z, name: "hash2", of: this.hash2 };
}

var second = [hash, standard, z, open];
export {
  hash as hashed,
  second
};
`)
})
