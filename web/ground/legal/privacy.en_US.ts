import type { LegalText } from './legal-text.ts';

export const privacy: LegalText = {
  title: 'Privacy Policy',
  updated: '2026-11-16',
  intro:
    'This policy says what personal data this installation of Posthorn handles, why, who receives it and how long it is kept. The operator, the person or organisation that runs this installation, is responsible for it. Posthorn is self-hosted: your data is kept on systems that the operator has chosen, and the authors of the software do not receive it.',
  sections: [
    {
      heading: '1. What is collected',
      paragraphs: ['The service keeps what it needs to work:'],
      points: [
        'Account: your email address, a hash of your password, language, time zone, creation date, settings (such as a webhook address and whether you wish to receive emails) and your API secret.',
        'Balance and payments: top-ups, fees, refunds, the settlement currency, and of each card its brand, its last four digits and the reference that the card provider gave it. Card numbers are never stored here.',
        'Messages: the phone numbers or email addresses of senders and recipients, the text and attachments, times, status, price, and what carriers report back, replies included.',
        'Contacts and opt-outs: the numbers and addresses you write to, and those who do not wish to be written to.',
        'Devices: the numbers, state and connection data of the WhatsApp devices that you create. The connection data is stored encrypted, and removed when you delete the device or its phone ends the link.',
        'Support: what you and the operator write to each other.',
        'Technical data: the network address from which you call, for limiting attempts, and logs of requests and faults. Message texts, whole phone numbers, passwords and secrets are not written to the logs.',
      ],
    },
    {
      heading: '2. Why it is used',
      paragraphs: [
        'Data is used only for the purposes below. It is not sold, and it is not used for advertising or for building profiles.',
      ],
      points: [
        'To provide the service: signing you in, sending your messages, showing their status and calling your webhook.',
        'To charge and refund correctly, and to keep the accounts that the law asks for.',
        'To send you necessary mails, such as those for activation, password reset and payments, and further mails if you receive them by your settings.',
        'To keep the service secure: preventing abuse, fraud, spam and the guessing of passwords.',
        'To answer your questions, to fulfil duties under the law and to settle disputes.',
      ],
    },
    {
      heading: '3. Data of your recipients',
      paragraphs: [
        'You decide whose data you hand to the service and for what. The operator handles it for you, in order to deliver your messages. You must have the right to use it, and must tell your recipients what the law requires them to be told. A recipient who has a question or wishes to opt out should turn to the sender first; the operator helps where needed.',
      ],
    },
    {
      heading: '4. Who receives it',
      paragraphs: ['Data is passed on only as far as is needed, to:'],
      points: [
        'Carriers: mobile networks, WhatsApp and mail servers, together with the providers that lead to them, receive the recipient, the sender and the content of the message. They may be in other countries, depending on where you send to.',
        'The card provider: you enter the card number into a form of the provider, which receives it directly. This service gets only a reference, the brand and the last four digits.',
        'Your own systems: the webhook address that you set receives events about your messages.',
        'Those who host systems or backups for the operator, under an obligation to keep the data confidential.',
        'Authorities and courts, where the law requires it.',
      ],
    },
    {
      heading: '5. Cookies and local storage',
      paragraphs: [
        'These pages set no cookies of their own and load nothing from advertising or tracking networks. Where payment by card is set up, the form of the card provider on the Payments page may set cookies under its own policy, for instance against fraud. In the local storage of your browser the pages keep:',
      ],
      points: [
        'token: keeps you signed in.',
        'activeLang: the language that you chose.',
        'accountId: the ID of your account.',
        'email: the email address of your account. It is removed, together with token and accountId, when you log out.',
        'mantine-color-scheme-value: light or dark colours, if you chose between them.',
      ],
    },
    {
      heading: '6. Security',
      paragraphs: [
        'Passwords are stored only as hashes, made by a method that is slow to guess against (argon2id). The tokens of sessions and of links sent by email are stored only as hashes too, expire, and stop working once you log out or the link has been used. The API secret is stored encrypted, because it has to be shown to you. Changing your password ends your other sessions. Administrators have access only as far as their work requires it.',
        'No system is perfectly secure. If a breach puts you at serious risk, the operator informs you and the authorities as the law requires.',
      ],
    },
    {
      heading: '7. How long it is kept',
      paragraphs: [
        'While your account is open, data is kept as long as it is needed for the purposes above. Beyond that:',
      ],
      points: [
        'Customer data (your account, its balance and payments, and the records of its messages and billing) is kept for up to 7 years after the account is closed.',
        'Support communications are kept for up to 3 years.',
        'Other data is deleted or anonymised within 60 days.',
        'Carrying out a deletion takes up to 30 days.',
        'Data may be kept longer only where the law or a pending dispute requires it, and only for that. A record that someone has opted out may be kept so that the opt-out continues to be respected.',
      ],
    },
    {
      heading: '8. Your rights',
      paragraphs: [
        'You may ask the operator what data is held about you and for a copy of it, and have it corrected or deleted, unless the law requires that it be kept. Depending on the law that applies to you, you may also restrict or object to a use, receive your data in a form that can be taken elsewhere, withdraw a consent, and complain to the authority for data protection where you live.',
        'The operator may first check that the request comes from you, as a rule by the email address of the account. A deletion that you have asked for takes up to 30 days.',
      ],
    },
    {
      heading: '9. Children',
      paragraphs: [
        'The service is made for businesses and developers, not for children. Whoever believes that a child has registered should tell the operator, who will delete the account.',
      ],
    },
    {
      heading: '10. Changes',
      paragraphs: [
        'The current text is always on this page with the date of its last change. Important changes are announced by email or on this site a reasonable time before they take effect.',
      ],
    },
    {
      heading: '11. Contact',
      paragraphs: [
        'Questions and requests about your data go to the operator, through the contact given on this site.',
      ],
    },
  ],
};
