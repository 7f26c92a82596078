/** Next.js calls this once, when a server starts: a wrong setting ends the start. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { application } = await import('./application.ts')
  await application()
}
