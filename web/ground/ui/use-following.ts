import { useState } from 'react';

/** What is typed, until the value that it stands for becomes another. */
export const useFollowing = (value = ''): [string, (typed: string) => void] => {
  const [typed, setTyped] = useState(value);
  const [followed, setFollowed] = useState(value);
  if (followed !== value) {
    setFollowed(value);
    setTyped(value);
  }
  return [typed, setTyped];
};
