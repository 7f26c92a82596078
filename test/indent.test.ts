/** How the lines of a built file are indented. */

import { expect, it } from 'vitest'
import { tabbed, tabbedScript } from '../scripts/indent.mjs'

it('is with tabs, but in a template, whose text is part of the program', () => {
  const code = [
    'function page(title) {',
    '  const text = `<main>',
    '    ${title.map((part) => {',
    '      return part',
    '    })}',
    '  </main>`;',
    '  return {',
    '    text',
    '  };',
    '}',
    '',
  ]
  const tabs = [...code]
  tabs[1] = '\tconst text = `<main>'
  tabs.splice(6, 3, '\treturn {', '\t\ttext', '\t};')
  expect(tabbedScript(code.join('\n'))).toBe(tabs.join('\n'))
})

it('is with tabs in declarations', () => {
  expect(tabbed('interface A {\n  b: {\n    c: string\n  }\n}\n')).toBe(
    'interface A {\n\tb: {\n\t\tc: string\n\t}\n}\n',
  )
})
