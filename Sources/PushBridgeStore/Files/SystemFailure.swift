import Foundation

/// A system call that failed.
struct SystemFailure: Error, Equatable {
    let code: Int32

    /// The failure of the call just made.
    static var last: SystemFailure { SystemFailure(code: errno) }

    /// The system's words, such as "No space left on device".
    var message: String { String(cString: strerror(code)) }
}
