// SPDX-License-Identifier: BSL-1.0
#include <tds/server/server_thread.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <future>
#include <string>
#include <thread>
#include <utility>

namespace tds {

struct server_thread::impl {
  explicit impl(server_options options) : serving(context.get_executor(), std::move(options)) {}

  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{context.get_executor()};
  server serving;
  std::uint16_t port = 0;
  std::string certificate;
  wire::host::thread_id thread_number = 0;
  std::thread thread;
};

server_thread::server_thread(server_options options, const std::function<void(server&)>& prepare,
                             std::uint16_t port)
    : server_thread{std::move(options), prepare,
                    server::endpoint{boost::asio::ip::address_v4::loopback(), port}} {}

server_thread::server_thread(server_options options, const std::function<void(server&)>& prepare,
                             const server::endpoint& where)
    : impl_(std::make_unique<impl>(std::move(options))) {
  if (prepare) prepare(impl_->serving);
  if (const auto ec = impl_->serving.listen(where)) {
    throw boost::system::system_error{ec, impl_->serving.problem()};
  }
  impl_->port = impl_->serving.port();
  impl_->certificate = impl_->serving.certificate_pem();
  std::promise<wire::host::thread_id> number;
  impl_->thread = std::thread{[context = &impl_->context, &number] {
    number.set_value(wire::host::this_thread_id());
    context->run();
  }};
  impl_->thread_number = number.get_future().get();
}

server_thread::~server_thread() {
  boost::asio::post(impl_->context, [serving = &impl_->serving] { serving->stop(); });
  impl_->work.reset();
  impl_->thread.join();
}

wire::host::thread_id server_thread::thread() const noexcept { return impl_->thread_number; }

std::uint16_t server_thread::port() const noexcept { return impl_->port; }
const std::string& server_thread::certificate_pem() const noexcept { return impl_->certificate; }

void server_thread::run(const std::function<void(server&)>& what) {
  std::promise<void> done;
  boost::asio::post(impl_->context, [this, &what, &done] {
    what(impl_->serving);
    done.set_value();
  });
  done.get_future().wait();
}

serving::server_counts server_thread::counts() const noexcept { return impl_->serving.counts(); }
serving::fault_counts server_thread::fault_counts() const noexcept { return impl_->serving.fault_counts(); }

}  // namespace tds
