/**
 * A stand-in for the provider's script in browser tests. It offers what the page uses of it: elements with a
 * payment element, confirmSetup and handleNextAction. Where the provider mounts frames, plain fields appear.
 */
(() => {
  const API = 'https://api.stripe.com';

  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };

  const field = (name, label, autocomplete) => {
    const id = `emulated-${name}`;
    const input = make('input', { id, name, autocomplete, inputMode: 'numeric' });
    return { input, row: make('p', {}, make('label', { htmlFor: id, textContent: label }), input) };
  };

  const toForm = (value, prefix, form = new URLSearchParams()) => {
    for (const [name, inner] of Object.entries(value)) {
      const key = prefix ? `${prefix}[${name}]` : name;
      if (inner !== null && typeof inner === 'object') toForm(inner, key, form);
      else if (inner !== undefined) form.append(key, String(inner));
    }
    return form;
  };

  /** The holder of the card sees who asks and answers yes or no. */
  const askHolder = () =>
    new Promise((resolve) => {
      const dialog = make('dialog', { ariaLabel: '3D Secure' });
      const button = (textContent, answer) =>
        make('button', {
          type: 'button',
          textContent,
          onclick: () => {
            dialog.close();
            dialog.remove();
            resolve(answer);
          },
        });
      dialog.append(
        make('p', { textContent: 'Your bank asks whether it is you who pays.' }),
        button('Complete authentication', true),
        button('Fail authentication', false),
      );
      document.body.append(dialog);
      dialog.showModal();
    });

  const paymentElement = () => {
    const listeners = new Map();
    const fields = {
      number: field('number', 'Card number', 'cc-number'),
      expiry: field('expiry', 'Expiration date', 'cc-exp'),
      cvc: field('cvc', 'Security code', 'cc-csc'),
    };
    const box = make('div', {}, ...Object.values(fields).map(({ row }) => row));
    const tell = (event, details) => {
      for (const listener of listeners.get(event) ?? []) listener(details);
    };
    const typed = () => {
      const [month = '', year = ''] = fields.expiry.input.value.split('/').map((part) => part.trim());
      return {
        number: fields.number.input.value.replaceAll(/\s/g, ''),
        exp_month: month,
        exp_year: year.length === 2 ? `20${year}` : year,
        cvc: fields.cvc.input.value,
      };
    };
    const complete = () => Object.values(typed()).every((value) => value !== '');
    box.addEventListener('input', () =>
      tell('change', { elementType: 'payment', complete: complete(), empty: false, collapsed: false }),
    );
    const element = {
      mount: (target) => {
        const node = typeof target === 'string' ? document.querySelector(target) : target;
        node.replaceChildren(box);
        setTimeout(() => tell('ready', { elementType: 'payment' }));
      },
      on: (event, listener) => {
        listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
        return element;
      },
      off: (event, listener) => {
        listeners.get(event)?.delete(listener);
        return element;
      },
      once: (event, listener) => element.on(event, listener),
      update: () => {},
      focus: () => fields.number.input.focus(),
      blur: () => {},
      clear: () => {},
      collapse: () => {},
      unmount: () => box.remove(),
      destroy: () => box.remove(),
    };
    return { element, typed, complete };
  };

  const connect = (key) => {
    const call = async (method, path, parameters) => {
      const form = toForm({ key, ...parameters });
      const reply = await fetch(
        method === 'GET' ? `${API}${path}?${form}` : `${API}${path}`,
        method === 'GET' ? {} : { method, body: form },
      );
      return reply.json();
    };
    const idOf = (clientSecret) => clientSecret.split('_secret_')[0];
    const nameOf = (object) => (object.object === 'setup_intent' ? 'setupIntent' : 'paymentIntent');

    const finish = async (object) => {
      if (object.status !== 'requires_action') return { [nameOf(object)]: object };
      const ended = await call('POST', '/v1/3ds2/authenticate', {
        client_secret: object.client_secret,
        approve: await askHolder(),
      });
      if (ended.error) return ended;
      const error = ended.last_setup_error ?? ended.last_payment_error;
      return error ? { error } : { [nameOf(ended)]: ended };
    };

    const elements = ({ clientSecret } = {}) => {
      let payment;
      const group = {
        clientSecret,
        create: (type) => {
          if (type !== 'payment') throw new Error(`This stand-in has no ${type} element.`);
          payment = paymentElement();
          return payment.element;
        },
        getElement: () => payment?.element ?? null,
        update: () => {},
        fetchUpdates: async () => ({}),
        submit: async () =>
          payment?.complete()
            ? { selectedPaymentMethod: 'card' }
            : { error: { type: 'validation_error', message: 'Your card number is incomplete.' } },
        typed: () => payment.typed(),
      };
      return group;
    };

    const missing = (name) => () => {
      throw new Error(`This stand-in has no ${name}.`);
    };

    return {
      elements,
      confirmSetup: async ({ elements: group, clientSecret = group?.clientSecret }) => {
        const { error } = await group.submit();
        if (error) return { error };
        const confirmed = await call('POST', `/v1/setup_intents/${idOf(clientSecret)}/confirm`, {
          client_secret: clientSecret,
          use_stripe_sdk: true,
          payment_method_data: { type: 'card', card: group.typed() },
        });
        return confirmed.error ? confirmed : finish(confirmed);
      },
      handleNextAction: async ({ clientSecret }) => {
        const kind = clientSecret.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
        const object = await call('GET', `/v1/${kind}/${idOf(clientSecret)}`, {
          client_secret: clientSecret,
        });
        return object.error ? object : finish(object);
      },
      retrievePaymentIntent: async (clientSecret) => ({
        paymentIntent: await call('GET', `/v1/payment_intents/${idOf(clientSecret)}`, {
          client_secret: clientSecret,
        }),
      }),
      createToken: missing('createToken'),
      createPaymentMethod: missing('createPaymentMethod'),
      confirmCardPayment: missing('confirmCardPayment'),
      registerAppInfo: () => {},
      _registerWrapper: () => {},
    };
  };

  // The library that loads this script warns when the two are of different releases.
  connect.version = document.currentScript?.src.split('/')[3] ?? 'v3';
  window.Stripe = connect;
})();
