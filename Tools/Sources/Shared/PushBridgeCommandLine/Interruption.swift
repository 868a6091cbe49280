public import Dispatch
import Foundation

/// Handles requests to end a command: Ctrl-C, the closing of the terminal, or a signal from another process.
public enum Interruption {
    /// Calls a closure when SIGINT, SIGTERM or SIGHUP arrives; these signals then do not end the process.
    ///
    /// A signal that the process ignored when it started, for example because of `nohup`, stays ignored.
    /// - Parameter body: Called on a background queue, with the signal's number.
    /// - Returns: The signal sources; cancel them to stop listening.
    public static func calls(
        _ body: @escaping @Sendable (_ number: Int32) -> Void
    ) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            let before = signal(number, SIG_IGN)
            let wasIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            if wasIgnored { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { body(number) }
            source.resume()
            return source
        }
    }
}
