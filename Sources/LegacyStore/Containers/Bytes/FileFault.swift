import Foundation

/// A failed system call on a file.
struct FileFault: Error, Equatable {
    let number: CInt

    init(_ number: CInt) {
        self.number = number
    }

    /// What the system says about it, for the end of a sentence.
    var explanation: String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Whether there is anything of this name, be it a dangling link.
    static func exists(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0
    }

    /// Throws what `errno` says if a system call answered -1.
    @discardableResult
    static func check(_ result: CInt) throws(FileFault) -> CInt {
        guard result != -1 else { throw FileFault(errno) }
        return result
    }
}

/// Names the file in what goes wrong while it is read.
func reading<Value>(
    _ url: URL,
    _ body: () throws(FileFault) -> Value
) throws(LegacyStoreError) -> Value {
    do {
        return try body()
    } catch {
        throw .unreadable(url, error)
    }
}

/// Names the file in what goes wrong while it is written.
@discardableResult
func writing<Value>(
    _ url: URL,
    _ body: () throws(FileFault) -> Value
) throws(LegacyStoreError) -> Value {
    do {
        return try body()
    } catch {
        throw .notWritable(url, error)
    }
}
