/** What is closed at the end, last opened first. */
export type Closing = AsyncDisposableStack
