package import Foundation

/// The bytes of a binary property list; its objects are read one at a time on demand.
///
/// References may form cycles, so code that follows them must limit the depth.
package struct BinaryPropertyList: Sendable {
    package let bytes: Data
    package let layout: PropertyListLayout

    /// Creates a list; validates only the header and the trailer of the bytes.
    ///
    /// - Throws: ``PropertyListError`` if the header or the trailer is damaged.
    package init(_ bytes: Data) throws(PropertyListError) {
        layout = try bytes.reading { buffer throws(PropertyListError) in try PropertyListLayout(buffer) }
        self.bytes = bytes
    }

    package func reading<Value>(
        _ body: (PropertyListBytes) throws(PropertyListError) -> Value
    ) throws(PropertyListError) -> Value {
        try bytes.reading { buffer throws(PropertyListError) in
            try body(PropertyListBytes(buffer, layout: layout))
        }
    }

    package func readable<Value>(_ body: (PropertyListBytes) throws(PropertyListError) -> Value?) -> Value? {
        do {
            return try reading(body)
        } catch {
            return nil
        }
    }

    package func references(_ references: PropertyListReferences) -> [PropertyListReference] {
        bytes.withUnsafeBytes { buffer in
            let list = PropertyListBytes(buffer, layout: layout)
            return (0..<references.count).map { list.reference($0, of: references) }
        }
    }
}

extension Data {
    /// Calls `body` with the bytes.
    ///
    /// Unlike `withUnsafeBytes`, this method preserves the type of the error.
    @inline(__always)
    func reading<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result: Result<Value, Failure> = withUnsafeBytes { bytes in
            do throws(Failure) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
