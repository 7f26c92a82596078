/** The label of the field for the name, by that of a username. The operator's own texts stay. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['Username', 'Username or email'],
  ['Benutzername', 'Benutzername oder E-Mail'],
  ['Nom d’utilisateur', 'Nom d’utilisateur ou e-mail'],
])

export const labelFor = (text: string): string => LABELS.get(text) ?? text
