import Foundation
import PushBridgeCommandLine

/// What is said if the index library crashes, as it does on some damaged files: one sentence instead of a stack trace.
///
/// The audit reads on one thread, so what is said last is what is being read.
enum CrashSentence {
    private static let capacity = 4096
    // Written only by the thread that reads, and read when that thread was stopped by a signal.
    nonisolated(unsafe) private static let text = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    nonisolated(unsafe) private static var length = 0

    /// Sets the sentence, from now on until ``forget()``.
    static func say(_ sentence: String) {
        if length == 0 { listen(with: end) }
        var line = Array("pushbridge: \(sentence.visible)\n".utf8)
        if line.count > capacity { line.removeSubrange(capacity...) }
        text.update(from: line, count: line.count)
        length = line.count
    }

    /// Leaves crashes to the system again.
    static func forget() {
        guard length > 0 else { return }
        listen(with: SIG_DFL)
        length = 0
    }

    /// Only calls that are safe while a signal is handled.
    private static let end: @convention(c) (Int32) -> Void = { _ in
        _ = write(STDERR_FILENO, text, length)
        _exit(ExitStatus.unreadableInput.rawValue)
    }

    private static func listen(with handler: (@convention(c) (Int32) -> Void)?) {
        for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP] { signal(number, handler) }
    }
}
