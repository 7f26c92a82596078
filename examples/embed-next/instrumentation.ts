/** Next.js calls this once, when a server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'edge') return
  const { app } = await import('./lib/app')
  const { provider } = await app()
  setInterval(() => provider.tick().catch(console.error), 5000).unref()
}
