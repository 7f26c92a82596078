import type { ResolvedTheme } from './theme.js'

/** Answers with the style sheet. The pages link to it with the theme's version in the query. */
export async function getStyleSheet({
  theme,
  request,
}: {
  theme: ResolvedTheme
  request: Request
}): Promise<Response> {
  // The content at an address with a version never changes.
  const versioned = new URL(request.url).searchParams.get('v') === theme.version
  return new Response(theme.css, {
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': versioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  })
}
