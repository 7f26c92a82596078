import type { Message, ParameterOf } from './message.js'

/** A message in the languages of the package: English, German (the polite form) and French. */
export type Translated = readonly [en: Message, de: Message, fr: Message]

/** Messages by name. */
export type Texts = Readonly<Record<string, Translated>>

/** The same texts where each message has the parameters of the English one; otherwise a type that none of them has. */
type WithSameParameters<All extends Texts> = {
  readonly [Key in keyof All]: [
    ParameterOf<All[Key][1]>,
    ParameterOf<All[Key][2]>,
    ParameterOf<All[Key][0]>,
  ] extends [
    ParameterOf<All[Key][0]>,
    ParameterOf<All[Key][0]>,
    ParameterOf<All[Key][1]> & ParameterOf<All[Key][2]>,
  ]
    ? All[Key]
    : { parameters: ParameterOf<All[Key][0]> }
}

/** Does not compile when a message has other parameters in another language. */
export const withSameParameters = <const All extends Texts>(texts: All & WithSameParameters<All>): All =>
  texts
