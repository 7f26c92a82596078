/**
 * Runs before each test file. Files share a process, and `import` may take the last status that was asked for in numbers for that of a
 * folder on its path: after a test that removes a socket, it would not follow the links of packages.
 */

import { lstatSync } from 'node:fs'

lstatSync('.')
