/** A QR code as the path of an SVG. `uqr` is loaded at the first use. */

/** ISO/IEC 18004 §6.3.8 (Quiet zone): 4 modules on each side. */
const QUIET_ZONE = 4

/** The QR code of a text: the dark modules as the `d` of a path in a square of `size` units, with a quiet zone around them. */
export async function qrPath(text: string): Promise<{ size: number; d: string }> {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'L', border: QUIET_ZONE })
  const d = data.flatMap((row, y) => runsOf(row).map(({ x, width }) => `M${x} ${y}h${width}v1h-${width}z`))
  return { size, d: d.join('') }
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
