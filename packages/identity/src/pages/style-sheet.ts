import type { ResolvedTheme } from './theme.js'

/** The style sheet that the pages link to, with the version of the theme in the query. */
export async function getStyleSheet({
  theme,
  request,
}: {
  theme: ResolvedTheme
  request: Request
}): Promise<Response> {
  // A version names the content, so its address may be cached forever.
  const versioned = new URL(request.url).searchParams.get('v') === theme.version
  return new Response(theme.css, {
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': versioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  })
}
