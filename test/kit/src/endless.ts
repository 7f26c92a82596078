/** An answer without an end: more than the buffers of two sockets take. */

/** @param closed Called when the connection of the answer is closed. */
export const endless = (closed: () => void): Response =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
      cancel: () => closed(),
    }),
  )
