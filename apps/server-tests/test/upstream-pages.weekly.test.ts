/** The pages with other providers, on the narrowest phone, in every language, and from right to left. */

import { UPSTREAMS } from '../../../packages/identity/preview/upstreams.ts'
import { previewIn } from './preview-pages.ts'

previewIn(
  [
    ['de', 'light', 320],
    ['fr', 'dark', 320],
    ['ar', 'light', 320],
    ['ar', 'dark', 320],
  ],
  Object.keys(UPSTREAMS),
)
