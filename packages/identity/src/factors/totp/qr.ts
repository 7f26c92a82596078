/** A QR code as inline SVG. `uqr` is loaded at the first use. */

import { type Html, html } from '../../pages/html.js'

/** ISO/IEC 18004 §6.3.8 (Quiet zone): 4 modules on each side. */
const QUIET_ZONE = 4

/**
 * The QR code of a text. Its colors are fixed, so that it stays dark on light in the browser's dark mode: many apps do not read the inverse.
 * @param label What the image is, for screen readers.
 */
export async function qrCode(text: string, label: string): Promise<Html> {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'L', border: QUIET_ZONE })
  const d = data.flatMap((row, y) => runsOf(row).map(({ x, width }) => `M${x} ${y}h${width}v1h-${width}z`))
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 4}" height="${size * 4}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${d.join('')}"/></svg>`
}

/** The dark modules of a row that lie side by side. */
function runsOf(row: readonly boolean[]): { x: number; width: number }[] {
  const runs: { x: number; width: number }[] = []
  row.forEach((dark, x) => {
    const last = runs.at(-1)
    if (!dark) return
    if (last !== undefined && last.x + last.width === x) last.width += 1
    else runs.push({ x, width: 1 })
  })
  return runs
}
