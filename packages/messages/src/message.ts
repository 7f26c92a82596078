/**
 * Messages: plain text with parameters in braces. A catalog has one for each key. Markup is never part of a message: the
 * pages escape its text and put their own elements in the place of parameters.
 */

/** Texts by plural category (`Intl.PluralRules`), chosen by the parameter `count`. */
type PluralMessage = { readonly other: string } & {
  readonly [category in 'zero' | 'one' | 'two' | 'few' | 'many']?: string
}

/** E.g. `Sign in to {application}`, or one text for each plural category. */
export type Message = string | PluralMessage

/** The names of the parameters of a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** The names of the parameters of a message. */
export type ParameterOf<M extends Message> = M extends string
  ? NamesIn<M>
  : M extends { other: infer Other extends string }
    ? NamesIn<Other> | 'count'
    : never

/** A part of a text: literal text, or the place of a parameter. */
export type MessagePart = string | { readonly parameter: string }

/** Cuts a text at its parameters. A brace without a partner stays text. */
export function partsOf(text: string): MessagePart[] {
  return text
    .split(/(\{[a-z_]{1,40}\})/)
    .map((part, index) => (index % 2 === 0 ? part : { parameter: part.slice(1, -1) }))
    .filter((part) => part !== '')
}
