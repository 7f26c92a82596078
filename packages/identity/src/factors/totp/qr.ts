import { qrPath } from '@ostiary/totp'
import { type Html, html } from '../../pages/html.js'

/**
 * The QR code of a text. Its colors are fixed, so that it stays dark on light in the browser's dark mode: many apps do not read the inverse.
 * @param label What the image is, for screen readers.
 */
export async function qrCode(text: string, label: string): Promise<Html> {
  const { size, d } = await qrPath(text)
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 4}" height="${size * 4}"
 role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/>
<path fill="#000" d="${d}"/></svg>`
}
