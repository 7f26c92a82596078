/** The type of an image by its first bytes: what a server says about an image is not believed. */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/svg+xml'

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

/** How many bytes of an SVG document may precede its root element. */
const MAX_PROLOG_BYTES = 1024

/** Null for everything but PNG, JPEG, WebP, GIF and SVG. */
export function imageType(image: Uint8Array): ImageType | null {
  const head = latin1(image.subarray(0, 12))
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('RIFF') && head.endsWith('WEBP') && head.length === 12) return 'image/webp'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  return isSvg(image) ? 'image/svg+xml' : null
}

/** Without a document type, which could define entities. A script in it does not run: see the policy of the answer. */
function isSvg(image: Uint8Array): boolean {
  const text = utf8Text(image)
  if (text === null || /<!(?:doctype|entity)/i.test(text)) return false
  const prolog = text.slice(0, MAX_PROLOG_BYTES).trimStart()
  return /^<svg[\s/>]/.test(prolog) || (/^<(?:\?xml|!--)/.test(prolog) && /<svg[\s/>]/.test(prolog))
}

function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
