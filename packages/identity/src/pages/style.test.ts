import { expect, it } from 'vitest'
import { VARIABLES } from './style.js'

/** WCAG 2.2: relative luminance of #rrggbb. */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [r = 0, g = 0, b = 0] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function color(name: string, scheme: 'light' | 'dark'): string {
  const value = VARIABLES[`--ostiary-${name}`]
  return typeof value === 'object' ? value[scheme] : ''
}

const TEXT = [
  ['text', 'surface'],
  ['text', 'background'],
  ['text', 'field'],
  ['muted', 'surface'],
  ['accent', 'surface'],
  ['accent-hover', 'surface'],
  ['accent-text', 'accent'],
  ['accent-text', 'accent-hover'],
  ['danger', 'danger-surface'],
  ['warning', 'warning-surface'],
]

it.each(['light', 'dark'] as const)(
  'text has a contrast of 4.5:1, and borders of fields of 3:1 (%s)',
  (scheme) => {
    for (const [text = '', ground = ''] of TEXT)
      expect(contrast(color(text, scheme), color(ground, scheme)), `${text} on ${ground}`).toBeGreaterThan(
        4.5,
      )
    expect(contrast(color('field-line', scheme), color('surface', scheme))).toBeGreaterThan(3)
  },
)
