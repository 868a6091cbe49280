package import Foundation

extension ContiguousBytes {
    /// Returns whether these bytes contain the bytes of a string.
    ///
    /// The search uses `memchr`, because a file may have millions of lines. Foundation's search takes many times as
    /// long.
    ///
    /// - Parameter text: The string; an empty string is always found.
    /// - Returns: Whether the string was found.
    package func contains(bytesOf text: StaticString) -> Bool {
        withUnsafeBytes { bytes in
            text.withUTF8Buffer { text in
                guard let first = text.first, let start = text.baseAddress else { return true }
                guard var place = bytes.baseAddress else { return false }
                let end = place + bytes.count
                while let found = memchr(place, Int32(first), place.distance(to: end)) {
                    place = UnsafeRawPointer(found)
                    guard place.distance(to: end) >= text.count else { return false }
                    if memcmp(place, start, text.count) == 0 { return true }
                    place += 1
                }
                return false
            }
        }
    }
}
