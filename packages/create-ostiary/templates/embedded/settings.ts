/** A variable of `.env`. Without it the program ends, with this sentence alone. */
export function setting(name: string): string {
  const value = process.env[name]
  if (value) return value
  console.error(`${name} is not set: npm start reads it from .env`)
  process.exit(1)
}
