import Dispatch
import Foundation
@_spi(PushBridgeTools) import PushBridgeStore

/// What happens when a command is asked to end: by Ctrl-C, by the end of its terminal, or by another process.
enum Interruption {
    /// Lets the three signals remove what is half written, and then end the process as they always do.
    static func removesUnfinishedFiles() -> [any DispatchSourceSignal] {
        calls { number in
            UnfinishedFiles.remove()
            signal(number, SIG_DFL)
            // The threads of the queue take no signals.
            kill(getpid(), number)
        }
    }

    /// Lets the three signals do something instead of ending the process.
    ///
    /// A signal that was ignored when the process began, as `nohup` has it, stays ignored.
    static func calls(_ body: @escaping @Sendable (_ number: Int32) -> Void) -> [any DispatchSourceSignal] {
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
