/** Every page and state in the language with the longest words, on the narrowest phone. */

import { previewIn } from './preview-pages.ts'

previewIn([['de', 'dark', 320]])
