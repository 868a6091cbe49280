import Foundation
import PushBridgeCommandLine

/// The error message that replaces a stack trace if the index library crashes, as it does on some damaged files.
///
/// The audit reads on one thread, so that the latest message names the file that is being read.
enum CrashSentence {
    private static let capacity = 4096
    // Only the reading thread writes this buffer; the signal handler reads it after interrupting that thread.
    nonisolated(unsafe) private static let text = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    nonisolated(unsafe) private static var length = 0

    /// Sets the message until ``forget()`` is called.
    static func set(_ sentence: String) {
        if length == 0 { listen(with: end) }
        var line = Array("pushbridge: \(sentence.visible)\n".utf8)
        if line.count > capacity { line.removeSubrange(capacity...) }
        text.update(from: line, count: line.count)
        length = line.count
    }

    /// Restores the system's handling of crashes.
    static func forget() {
        guard length > 0 else { return }
        listen(with: SIG_DFL)
        length = 0
    }

    /// Prints the message and exits; calls only functions that are safe in a signal handler.
    private static let end: @convention(c) (Int32) -> Void = { _ in
        _ = write(STDERR_FILENO, text, length)
        _exit(ExitStatus.unreadableInput.rawValue)
    }

    private static func listen(with handler: (@convention(c) (Int32) -> Void)?) {
        for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP] { signal(number, handler) }
    }
}
