/** What these tests share: see test/kit. */
export * from '@ostiary/test-kit/world'
