import type { Agreement } from '#contract'

/**
 * The words that the audit of an app looks for, in English in every language: points 1 to 5 of
 * https://developers.tiktok.com/doc/content-sharing-guidelines ("Required UX Implementation in Your App"). Of that page only
 * the beginning was seen (2026-11-30). Declarations, labels, `missing` and the exclusion are as public programs copy
 * them from it, who differ in a full stop or two. The names of the switch and its boxes are those of
 * https://ads.tiktok.com/help/article/how-to-turn-on-the-commercial-content-disclosure-setting-in-tiktok (read 2026-11-30).
 */
export const agreement: Agreement = {
  // There the creator decides in the app.
  unless: { option: 'mode', value: 'INBOX' },
  disclosure: {
    title: 'Disclose commercial content',
    description: 'Turn on to disclose that this post promotes goods or services in exchange for something of value.',
    options: [
      { option: 'brandOrganic', title: 'Your brand', description: 'You are promoting yourself or your own business.' },
      {
        option: 'brandContent',
        title: 'Branded content',
        description: 'You are promoting another brand or a third party.',
      },
    ],
    missing: 'You need to indicate if your content promotes yourself, a third party, or both.',
    labels: [
      {
        option: 'brandContent',
        image: "Your photo will be labeled as 'Paid partnership'",
        video: "Your video will be labeled as 'Paid partnership'",
      },
      {
        option: 'brandOrganic',
        image: "Your photo will be labeled as 'Promotional content'",
        video: "Your video will be labeled as 'Promotional content'",
      },
    ],
  },
  exclusions: [
    {
      option: 'privacy',
      value: 'SELF_ONLY',
      by: 'brandContent',
      message: 'Branded content visibility cannot be set to private.',
    },
  ],
  declarations: [
    {
      option: 'brandContent',
      text: "By posting, you agree to TikTok's Branded Content Policy and Music Usage Confirmation.",
      links: [
        { text: 'Branded Content Policy', url: 'https://www.tiktok.com/legal/page/global/bc-policy/en' },
        {
          text: 'Music Usage Confirmation',
          url: 'https://www.tiktok.com/legal/page/global/music-usage-confirmation/en',
        },
      ],
    },
    {
      option: null,
      text: "By posting, you agree to TikTok's Music Usage Confirmation.",
      links: [
        {
          text: 'Music Usage Confirmation',
          url: 'https://www.tiktok.com/legal/page/global/music-usage-confirmation/en',
        },
      ],
    },
  ],
  afterwards: 'It may take a few minutes for the content to process and be visible on the profile.',
}
