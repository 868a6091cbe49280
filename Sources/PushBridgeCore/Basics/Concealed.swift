/// A value that `dump` does not show.
package protocol Concealed: CustomReflectable {}

extension Concealed {
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
