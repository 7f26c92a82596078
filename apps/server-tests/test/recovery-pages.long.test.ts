/** Each page of a recovery: photographed, and checked. */

import { it, vi } from 'vitest'
import { photograph } from './photograph.ts'
import { recover } from './recovery-flow.ts'

// A photograph of a long page takes a second, and there are four of each.
vi.setConfig({ testTimeout: 300_000 })

it('each page of a recovery looks as it should', ({ onTestFinished }) => recover(onTestFinished, photograph))
