/** The operator's link in Chromium. */

import { it, vi } from 'vitest'
import { recover } from './recovery-flow.ts'

vi.setConfig({ testTimeout: 300_000 })

it('a user who has lost everything gets in by the link, and chooses anew', ({ onTestFinished }) =>
  recover(onTestFinished))
