import { describe, expect, it } from 'vitest'
import { catalogFaults } from './check-catalog.js'

const faultsOf = (catalog: unknown): string[] =>
  catalogFaults(catalog).map(({ path, message, meant }) =>
    [path, message, ...(meant === undefined ? [] : [`did you mean ${meant}?`])].join(': '),
  )

it('a catalog may have texts, plurals, scopes and a direction', () => {
  const messages = {
    'sign_in.title': 'Entrar',
    'sign_in.for_application': 'para continuar em {application}',
    'sessions.more': { one: 'E mais uma.', many: 'E mais {count}.', other: 'E mais {count}.' },
    'sign_in.throttled': 'Aguarde {count} min.',
  }
  const scopes = { 'notes.read': 'Ler as suas notas' }
  expect(faultsOf({ language: 'pt-BR', direction: 'ltr', messages, scopes })).toEqual([])
  expect(faultsOf({ language: 'pt' })).toEqual([])
})

describe('a fault is named with its path', () => {
  it.each<[unknown, string]>([
    [null, ': give an object with "language" and "messages"'],
    [[], ': give an object with "language" and "messages"'],
    [{}, 'language: give a language tag such as pt or pt-BR'],
    [{ language: 'klingon!' }, 'language: give a language tag such as pt or pt-BR'],
    [{ language: `pt-${'x'.repeat(40)}` }, 'language: give a language tag such as pt or pt-BR'],
    [{ language: 'pt', direction: 'up' }, 'direction: give ltr or rtl'],
    [
      { language: 'pt', mesages: {} },
      'mesages: unknown key; the keys are language, direction, messages, scopes',
    ],
    [{ language: 'pt', messages: [] }, 'messages: give an object with a text for each name'],
    [{ language: 'pt', scopes: 'x' }, 'scopes: give an object with a text for each name'],
    [{ language: 'pt', scopes: { a: 'um {b}' } }, 'scopes.a: the parameter {b} does not exist here'],
  ])('%j', (catalog, expected) => {
    expect(faultsOf(catalog)).toEqual([expected])
  })

  it.each<[string, unknown, string]>([
    [
      'sign_in.titel',
      'x',
      'there is no message with this name; docs/messages.md lists the names: did you mean sign_in.title?',
    ],
    ['constructor', 'x', 'there is no message with this name; docs/messages.md lists the names'],
    ['sign_in.title', 5, 'give a text'],
    ['sign_in.title', ' ', 'give a text'],
    ['sign_in.title', { other: 'x' }, 'give a text'],
    ['sign_in.title', 'x'.repeat(1001), 'the text has more than 1000 characters'],
    ['sign_in.title', '<b>Entrar</b>', 'write plain text: markup would be shown, not applied'],
    ['sign_in.title', 'Entrar {name}', 'the parameter {name} does not exist here'],
    ['sign_in.for_application', 'Entrar', 'the parameter {application} is missing'],
    [
      'sign_in.for_application',
      '{application} {name}',
      'the parameter {name} does not exist here; write {application}',
    ],
    ['sign_in.for_application', '{application} {', 'a brace belongs to no parameter; write {application}'],
    [
      'sign_in.for_application',
      '{application} { x }',
      'a brace belongs to no parameter; write {application}',
    ],
    ['sessions.more', ['x'], 'give a text, or an object with a text for each plural category'],
    ['sessions.more', { one: 'um' }, 'the plural category "other" is missing'],
    [
      'sessions.more',
      { other: '{count}', two: 'x', dual: 'y' },
      '"dual" is not a plural category; they are zero, one, two, few, many, other',
    ],
    ['sessions.more', { other: 'mais' }, 'other: the parameter {count} is missing'],
    [
      'session.used_for_more',
      { one: 'mais uma', other: '{applications} {count}' },
      'one: the parameter {applications} is missing',
    ],
  ])('%s: %j', (key, message, expected) => {
    expect(faultsOf({ language: 'pt', messages: { [key]: message } })).toEqual([
      `messages.${key}: ${expected}`,
    ])
  })

  it('and all of them are reported', () => {
    const messages = { a: 'x', 'sign_in.title': 1, 'consent.title': 'x' }
    expect(faultsOf({ language: '', direction: 1, more: 1, messages })).toHaveLength(6)
  })
})
