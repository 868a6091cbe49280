/// A type whose properties `dump` does not show.
package protocol Concealed: CustomReflectable {}

extension Concealed {
    /// An empty mirror, so that `dump` shows no properties.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
