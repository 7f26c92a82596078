const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** @throws TypeError for bytes that are not UTF-8. */
export const utf8Text = (bytes: Uint8Array): string => decoder.decode(bytes)
