import Foundation

extension Data {
    /// Calls `body` with the bytes; like `withUnsafeBytes`, but keeps the type of the error.
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
