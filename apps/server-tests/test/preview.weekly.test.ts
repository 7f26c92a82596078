/** Every page and state in the other languages, and on a desktop. */

import { previewIn } from './preview-pages.ts'

previewIn([
  ['en', 'light', 320],
  ['fr', 'light', 320],
  ['fr', 'light', 1280],
])
