import type { LegalText } from './legal-text.ts';

export const terms: LegalText = {
  title: 'Terms of Use',
  updated: '2026-11-16',
  intro:
    'These terms apply between you, the holder of an account, and the operator: the person or organisation that runs this installation of Posthorn and offers you its prepaid service for SMS, WhatsApp and email. By registering an account or using the service you accept them.',
  sections: [
    {
      heading: '1. The service',
      paragraphs: [
        'The service takes messages from you, through these pages, a CSV file or the API, and hands them to carriers for delivery. It is paid in advance: each message is charged to your balance when it is accepted.',
        'Posthorn itself is free software under the GNU Affero General Public License, version 3. These terms are about the service that the operator provides with it, and take away none of the rights which that licence gives you.',
      ],
    },
    {
      heading: '2. Your account',
      paragraphs: [
        'You register with an email address and a password, and activate the account with the link that is mailed to you. If you register for an organisation, you confirm that you may act for it.',
        'You answer for what is done with your account. In particular:',
      ],
      points: [
        'Give an email address that you read, since notices about your account are sent there.',
        'Keep your password and your API secret to yourself. Whoever has the API secret can send messages at your cost.',
        'Tell the operator at once if you believe that somebody else has either of them.',
      ],
    },
    {
      heading: '3. Acceptable use',
      paragraphs: [
        'You alone decide what is sent and to whom, and you must obey the law of every place that you send from and to. You agree to the following:',
      ],
      points: [
        'Send only to people who have consented to hear from you, or whom the law lets you write to without consent, and be able to show it when asked.',
        'Say clearly who the message is from, and offer an easy and free way to opt out.',
        'Respect an opt-out without delay. Recipients who are recorded as opted out are left out of what you send.',
        'Send no spam, and use no bought, rented or harvested lists of numbers or addresses.',
        'Send nothing that is unlawful, fraudulent, threatening, harassing or hateful, nothing that pretends to come from someone else, and no malicious links or files.',
        'Do not disturb or probe the service, get around its limits, or resell it without the written agreement of the operator.',
        'Do not rely on the service for emergency calls or wherever a late or missing message could endanger life or health.',
      ],
    },
    {
      heading: '4. WhatsApp',
      paragraphs: [
        'WhatsApp messages are sent from numbers that are registered with WhatsApp. WhatsApp has its own terms and may limit, suspend or ban a number at any time, above all one that writes to many people who have never written to it. A message that WhatsApp refuses is refunded as stated in section 7; beyond that, a limit or a ban does not entitle you to compensation from the operator.',
        'A WhatsApp device that you create sends from a number of your own. You take the risk of a limit or a ban for every device that you create. Only a device that is running can send; to protect its number, messages may wait: more of them while the number is new, at night, and after a warning of WhatsApp. Messages that wait in a device which you delete are moved to another one or cancelled and refunded, as you choose.',
        'The operator may pause the sending from a number, or slow it down, to protect the number. Neither Posthorn nor the operator acts on behalf of WhatsApp.',
      ],
    },
    {
      heading: '5. Balance, top-up and auto charge',
      paragraphs: [
        'Your balance is kept and shown in US dollars (USD), and top-up amounts are entered in US dollars. Your settlement currency, Hong Kong dollars (HKD) or US dollars, is the currency your card is charged in. When it is HKD, amounts are converted at the rate that the operator has set.',
        'The minimum is HK$50, or its equivalent in US dollars, for each auto charge and each manual top-up.',
        'Auto charge is off until you turn it on with an amount and a card. By turning it on you allow the operator to charge that amount to that card, without asking each time, whenever a message that you send leaves your balance below the threshold in your settings, and when you turn auto charge on while the balance is already below it. You set the threshold and the most that may be charged within 24 hours; both have a default. Only one such charge is under way at a time, and you can turn auto charge off in your settings at any time.',
        'If a card is declined, nothing is added to your balance, and the payment history shows the reason. After repeated declines auto charge stops and you are told by email. Messages that your balance does not cover are not accepted, so keep enough of it for what you plan to send.',
        'The balance is a prepayment for messages. It is not a deposit, bears no interest and cannot be passed on to another account without the agreement of the operator.',
      ],
    },
    {
      heading: '6. Fees',
      paragraphs: [
        'The segment fee for SMS is HK$0.25 per 70 words. Words are meant as in Chinese, where each character is a word: 70 of them are what one segment holds. A segment is the unit that carriers send and count, so the number of segments in a message depends on what it is written in:',
      ],
      points: [
        'Text wholly in the GSM alphabet (GSM 03.38: the letters of English, digits, common punctuation and some accented letters): up to 160 characters are one segment; a longer text has one segment for every 153 characters. A few signs, such as € [ ] { } ~ ^ | and \\, count as two.',
        'Any other text, such as Chinese or text with emoji: up to 70 characters are one segment; a longer text has one segment for every 67 characters. Characters outside the basic set of Unicode, as most emoji are, count as two.',
        'A segment that is begun is charged as a whole.',
        "Where the operator's price list has another price for a country, a carrier or a channel (WhatsApp and email included), that price applies. The price that you are shown before sending is the price that you are charged.",
        'The fee is taken from your balance in US dollars, converted at the rate that the operator has set.',
      ],
    },
    {
      heading: '7. Refunds',
      paragraphs: [
        'The fee for a message that could not be sent is returned to your balance, once. This covers a message that is refused by the carrier, one that the carrier first accepts and later reports as failed, and one that is cancelled while it is still waiting.',
        'If you believe that a fee or a card charge is wrong, tell the operator as soon as you can.',
      ],
    },
    {
      heading: '8. Delivery',
      paragraphs: [
        'Delivery is done by carriers: mobile networks, WhatsApp and mail servers. The status SUCCESS means that a carrier has accepted the message. It does not mean that anyone has received or read it. Carriers may delay, filter, alter or drop messages, and may replace the sender that is shown.',
        'If it is not known whether a carrier has taken a message, it is not simply sent again, so that nobody gets it twice. A later report by the carrier may still settle it; if none comes, ask the operator about its fee.',
        'Messages marked as a test are not delivered to anyone.',
      ],
    },
    {
      heading: '9. Availability',
      paragraphs: [
        'The operator takes reasonable care to keep the service running but does not promise that it is free of interruptions or faults. It may be stopped for maintenance, for reasons of security, or because a carrier or another supplier fails. Sending may be slowed down to stay within the limits of carriers.',
      ],
    },
    {
      heading: '10. Suspension',
      paragraphs: [
        'The operator may hold back messages, or suspend an account, if there is good reason to believe that these terms or the law are being broken, that an account is in the hands of a stranger, that a payment is disputed or fraudulent, or that carriers or other customers would be harmed; also if an authority or a carrier demands it. Where the law permits, the operator tells you the reason by email, beforehand if time allows, and lifts the suspension once the reason is gone.',
      ],
    },
    {
      heading: '11. Liability',
      paragraphs: [
        'Nothing in these terms excludes or limits a liability that the law does not allow to be excluded or limited, or the rights that consumers have by law.',
        'Otherwise the service is provided as it is. The operator is not liable for what carriers, card providers or WhatsApp do or fail to do, nor for lost profit, lost data or indirect loss, and any other liability is limited to the fees that you paid for the messages concerned.',
        'If somebody makes a claim against the operator because of what you sent or whom you sent it to, you make good the reasonable cost of it.',
      ],
    },
    {
      heading: '12. Closing an account',
      paragraphs: [
        'You may close your account at any time in Profile Settings, or have it closed by asking the operator from the email address of the account. Sending, devices and auto charge then end, and messages that still wait are cancelled and refunded. If a balance remains, write to the operator from that address: the operator settles it with you as the law requires, after deducting what you owe.',
        'The operator may close an account, after notice by email, if these terms are broken seriously or repeatedly or if the service ends. How long data is kept after closure is stated in the Privacy Policy.',
      ],
    },
    {
      heading: '13. Changes',
      paragraphs: [
        'The operator may change these terms and the fees. The current text is always on this page with the date of its last change, and important changes are announced by email or on this site a reasonable time before they take effect. Messages that have already been accepted keep the fee they were accepted at. If you do not agree to a change, stop using the service and have your account closed; using it after the change means that you agree.',
      ],
    },
    {
      heading: '14. Governing law',
      paragraphs: [
        'These terms are governed by the law of the place where the operator is established, and its courts decide disputes, unless law that protects you as a consumer says otherwise. If a part of these terms is not valid, the rest still applies. If the language versions differ, they are to be read together, so as to give the meaning that fits both.',
      ],
    },
    {
      heading: '15. Contact',
      paragraphs: ['Questions about these terms go to the operator, through the contact given on this site.'],
    },
  ],
};
