// What gitlab-ci-local asks of its Node and 20 does not have yet; loaded before it.
// oxlint-disable-next-line no-extend-native -- It is called by a program that is not ours.
Set.prototype.union ??= function union(other) {
  return new Set([...this, ...other]);
};
