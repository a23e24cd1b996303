export const brokenPosts = []
