/// A value of which `dump` shows nothing.
package protocol Concealed: CustomReflectable {}

extension Concealed {
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
