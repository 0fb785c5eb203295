// Invented tickets of customers. What each says is labeled by hand; a model is only shown the ticket.
import type { Row } from './truth.ts';

const topics = ['refund', 'delivery', 'sign-in', 'damage', 'praise'] as const;

interface Ticket extends Row {
  topic: (typeof topics)[number];
  is_angry: boolean;
  language: 'English' | 'German' | 'French';
  order: string | null;
  amount_eur: number | null;
}

/** Topic, whether the writer is angry, language, order, amount in euros, text. */
const table = [
  [
    'refund',
    false,
    'English',
    'A-1043',
    59.9,
    'I returned order A-1043 two weeks ago and would like my 59.90 euros back, please.',
  ],
  [
    'refund',
    true,
    'English',
    null,
    null,
    'This is the third time I ask! Give me my money back at last, this is outrageous.',
  ],
  [
    'delivery',
    false,
    'English',
    'A-1107',
    null,
    'Could you tell me when A-1107 will arrive? The tracking page has not changed since Monday.',
  ],
  [
    'sign-in',
    false,
    'English',
    null,
    null,
    'My password is no longer accepted, and the reset mail never comes.',
  ],
  [
    'damage',
    false,
    'English',
    'A-1150',
    120,
    'The vase in order A-1150, worth 120 euros, came with a long crack. The box was crushed.',
  ],
  [
    'praise',
    false,
    'English',
    null,
    null,
    'Just a line to thank the team: the lamp looks wonderful in our hall.',
  ],
  [
    'delivery',
    true,
    'English',
    'B-2201',
    null,
    'B-2201 was promised for Friday. It is Wednesday! Nobody answers the phone. Unacceptable!',
  ],
  [
    'sign-in',
    true,
    'English',
    null,
    null,
    'Locked out AGAIN. I pay for this account and cannot get in. Fix it now.',
  ],
  [
    'refund',
    false,
    'German',
    'B-2214',
    34.5,
    'Ich habe B-2214 storniert und bitte um die Rückzahlung von 34,50 Euro.',
  ],
  [
    'praise',
    false,
    'French',
    null,
    null,
    'Merci beaucoup, le colis est parfait et la carte était charmante.',
  ],
  [
    'damage',
    true,
    'English',
    'B-2230',
    null,
    'What a joke. B-2230 came smashed to pieces, and your packer did not even use paper.',
  ],
  [
    'delivery',
    false,
    'German',
    'B-2256',
    null,
    'Können Sie die Lieferadresse von B-2256 noch ändern? Wir sind umgezogen.',
  ],
  [
    'sign-in',
    false,
    'English',
    null,
    null,
    'The code that you send by text message is refused each time I enter it.',
  ],
  [
    'refund',
    false,
    'English',
    'C-3310',
    240,
    'The shop charged me 240 euros twice for C-3310. Please return one of the two payments.',
  ],
  ['damage', false, 'French', 'C-3318', null, 'La table de la commande C-3318 a un pied cassé.'],
  [
    'praise',
    false,
    'English',
    'C-3327',
    null,
    'C-3327 came a day early and well packed. I will order again.',
  ],
  [
    'delivery',
    false,
    'English',
    'C-3340',
    null,
    'The courier left C-3340 with a neighbor whom I do not know. Where is it?',
  ],
  [
    'refund',
    true,
    'English',
    'C-3352',
    18.75,
    'You kept 18.75 euros of my return C-3352 as a "fee". Pay it back, you thieves.',
  ],
  ['sign-in', false, 'German', null, null, 'Seit dem Update kann ich mich nicht mehr anmelden.'],
  [
    'damage',
    false,
    'English',
    'D-4401',
    75.2,
    'One of the six glasses in D-4401 (75.20 euros) is chipped. Can I get another one?',
  ],
  [
    'praise',
    false,
    'English',
    null,
    null,
    'Great service on the phone yesterday, my compliments to Ms. Berg.',
  ],
  [
    'delivery',
    true,
    'English',
    null,
    null,
    'Four weeks and still no parcel. I am furious, and my daughter’s birthday is over.',
  ],
  [
    'refund',
    false,
    'English',
    'D-4433',
    null,
    'I changed my mind about D-4433. How do I send it back and get the money?',
  ],
  [
    'sign-in',
    false,
    'English',
    null,
    null,
    'Since I changed my mail address, I cannot log on to the account.',
  ],
] as const;

export const tickets: readonly Ticket[] = table.map(
  ([topic, is_angry, language, order, amount_eur, text], i) => ({
    ...{ type: 'ticket', name: `Ticket ${i + 1}`, fields: { text } },
    ...{ topic, is_angry, language, order, amount_eur },
  }),
);
