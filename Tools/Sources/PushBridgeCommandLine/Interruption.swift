public import Dispatch
import Foundation

/// Handles requests to end a command: Ctrl-C, the end of its terminal, or a signal of another process.
public enum Interruption {
    /// Lets the three signals do something instead of ending the process.
    ///
    /// A signal that was ignored when the process began, as `nohup` has it, stays ignored.
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
