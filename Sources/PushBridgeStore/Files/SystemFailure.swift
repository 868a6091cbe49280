import Foundation

package struct SystemFailure: Error, Equatable, Sendable {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    /// The failure of the call just made.
    static var last: SystemFailure { SystemFailure(code: errno) }

    /// The system's words, such as "No space left on device".
    package var message: String { String(cString: strerror(code)) }

    /// The system's words for the end of a sentence.
    package var explanation: String { message.prefix(1).lowercased() + message.dropFirst() }

    /// Throws the failure of a call that returned -1; returns the result otherwise.
    @discardableResult
    package static func check(_ result: Int32) throws(SystemFailure) -> Int32 {
        guard result != -1 else { throw .last }
        return result
    }
}
