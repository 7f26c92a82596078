/** Texts of a server for a terminal. */

/** What controls a terminal. A line break is one of the text. */
const CONTROL = /[^\P{Cc}\n]/gu
/** Those that JSON does not escape. */
const RAW_IN_JSON = /[\u007f-\u009f]/g

export const withoutControls = (text: string): string => text.replace(CONTROL, '?')

/** The output of a command: no text in it controls the terminal. */
export function cleaned<Output>(output: Output): Output {
  if (typeof output !== 'object' || output === null) return output
  const { text, note, json } = output as { text?: unknown; note?: unknown; json?: unknown }
  return {
    ...output,
    ...(typeof text === 'string' && { text: withoutControls(text) }),
    ...(typeof note === 'string' && { note: withoutControls(note) }),
    ...(json !== undefined && { json: printed(json) }),
  }
}

/** @returns The value that JSON has for it. */
function printed(json: unknown): unknown {
  const text = JSON.stringify(json)
  return text === undefined ? json : JSON.parse(text.replace(RAW_IN_JSON, '?'))
}
