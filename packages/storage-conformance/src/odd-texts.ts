/** Texts that are difficult to store. */

export const ODD_TEXT = `Zoë 🦉👩‍👩‍👧 "double" 'single' \`tick\` \\back\\ {brace} [box] a,b;c:d|e/f %s $1 ? <b>&amp; 名前 עברית\tend\n`
/** Texts that array literals, SQL or JSON could misinterpret. */
export const ODD_LIST = [ODD_TEXT, '', 'NULL', 'null', '{}', '[]', '"', ',', ' padded ', '0', "';--"]
export const LONG_TEXT = 'long 🦉 text, '.repeat(600)
